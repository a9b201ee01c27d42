"""What procedural worlds are like, many at a time: sound, large enough, of many kinds, cheap."""

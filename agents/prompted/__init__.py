"""The roles played by a model: prompts as files, drafts that are checked, bounded repair."""

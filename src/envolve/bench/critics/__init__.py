"""The critics bench: known faults planted in sound environments, and what reviewers find of them."""

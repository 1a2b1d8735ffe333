"""Files written whole or not at all, locks, and JSON that every reader accepts."""

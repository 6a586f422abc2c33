"""The only room that knows SQL: SQLModel over SQLite. Nothing of a session leaves it; what does is frozen."""

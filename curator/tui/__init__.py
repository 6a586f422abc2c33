"""The Textual app. Nothing here is imported before the app is started."""

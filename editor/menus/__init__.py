"""The menus: each makes its actions and does them, or hands them to who does."""

"""The database: tables, repositories, and notices between processes."""

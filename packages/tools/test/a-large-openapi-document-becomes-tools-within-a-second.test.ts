// A document of more than a megabyte, with rings of schemas and over a thousand operations, becomes tools within a second.


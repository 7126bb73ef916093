//! What the schema of a file has.

/// SQL for all columns, indices and triggers, each with its kind, its table, its name and what it is.
pub(in super::super) const PARTS: &str = "\
    SELECT 'column', tables.name, columns.name, \
        columns.type || iif(columns.\"notnull\", ' NOT NULL', '') || iif(columns.pk, ' KEY ' || columns.pk, '') \
        || coalesce(' DEFAULT ' || columns.dflt_value, '') \
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns \
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!' \
    UNION ALL \
    SELECT parts.type, parts.tbl_name, parts.name, \
        coalesce(parts.sql, (SELECT 'UNIQUE ' || group_concat(name) FROM pragma_index_info(parts.name))) \
    FROM sqlite_schema AS parts WHERE parts.type IN ('index', 'trigger')";

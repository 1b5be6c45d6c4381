namespace Raven.Storage.Tables;

/// <summary>An index of a table.</summary>
public sealed class TableIndex
{
    private readonly TableKeyPart[] _parts;

    private TableIndex(TableIndexKind kind, params ReadOnlySpan<TableKeyPart> parts)
    {
        ArgumentOutOfRangeException.ThrowIfZero(parts.Length, nameof(parts));
        Kind = kind;
        _parts = parts.ToArray();
    }

    /// <summary>How it is stored, and whether its keys are unique.</summary>
    public TableIndexKind Kind { get; }

    /// <summary>The fields its key is made of.</summary>
    public ReadOnlySpan<TableKeyPart> Parts => _parts;

    /// <summary>At most one row for a key of these fields.</summary>
    public static TableIndex Unique(params ReadOnlySpan<TableKeyPart> parts) => new(TableIndexKind.Unique, parts);

    /// <summary>Any number of rows for a key of these fields, in the order of their ids.</summary>
    public static TableIndex Multi(params ReadOnlySpan<TableKeyPart> parts) => new(TableIndexKind.Multi, parts);

    /// <summary>At most one row for the number in a field, such as an etag: the smallest and fastest index.</summary>
    public static TableIndex Number(int field) => new(TableIndexKind.Number, TableKeyPart.Int64(field));
}

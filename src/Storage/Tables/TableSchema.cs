namespace Raven.Storage.Tables;

/// <summary>The fields and indexes of a table. Immutable; one object serves all transactions.</summary>
public sealed class TableSchema
{
    /// <summary>The most fields a row can have.</summary>
    public const int FieldsMax = 32;

    /// <summary>The most indexes a table can have, including the primary key.</summary>
    public const int IndexesMax = 16;

    private readonly TableIndex[] _indexes;

    /// <summary>Makes a schema.</summary>
    /// <param name="fields">How many fields a row has.</param>
    /// <param name="primaryKey">The field that identifies a row.</param>
    /// <param name="indexes">The secondary indexes; number 1 is the first of them.</param>
    public TableSchema(int fields, TableKeyPart primaryKey, params ReadOnlySpan<TableIndex> indexes)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(fields);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(fields, FieldsMax);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(indexes.Length, IndexesMax, nameof(indexes));
        Fields = fields;
        _indexes = [TableIndex.Unique(primaryKey), .. indexes];
        foreach (TableIndex index in _indexes)
        {
            foreach (TableKeyPart part in index.Parts)
            {
                ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)part.Field, (uint)fields, nameof(indexes));
            }
        }
    }

    /// <summary>How many fields a row has.</summary>
    public int Fields { get; }

    /// <summary>All indexes; the first one is the primary key.</summary>
    public ReadOnlySpan<TableIndex> Indexes => _indexes;
}

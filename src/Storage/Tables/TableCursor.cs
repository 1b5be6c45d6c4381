using System.Buffers.Binary;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

/// <summary>
/// Walks the rows of a table in the order of an index, in both directions. It lives on the stack, allocates nothing,
/// and is invalid after its table has changed.
/// </summary>
public ref struct TableCursor
{
    private readonly Table _table;
    private readonly TableIndexKind _kind;
    private TreeCursor _cursor;

    internal TableCursor(Table table, Tree keys, TableIndexKind kind)
    {
        _table = table;
        _kind = kind;
        _cursor = keys.GetCursor();
    }

    /// <summary>The id of the row that the cursor is on.</summary>
    public readonly long RowId => _kind == TableIndexKind.Unique
        ? Table.ReadId(_cursor.Value)
        : ReadIdBehind(_cursor.Key);

    /// <summary>The row that the cursor is on.</summary>
    public readonly TableRow Row => _table.Read(RowId);

    /// <inheritdoc cref="TreeCursor.SeekFirst"/>
    public bool SeekFirst() => _cursor.SeekFirst();

    /// <inheritdoc cref="TreeCursor.SeekLast"/>
    public bool SeekLast() => _cursor.SeekLast();

    /// <summary>Goes to the first row whose key is not before <paramref name="key"/>, as <see cref="TableKeys"/>
    /// writes it.</summary>
    /// <returns>False if there is none.</returns>
    public bool Seek(scoped ReadOnlySpan<byte> key) => _cursor.Seek(key);

    /// <summary>
    /// Goes to the first row whose key starts with <paramref name="prefix"/>; moves stay among those.
    /// </summary>
    /// <returns>False if there is none.</returns>
    public bool SeekPrefix(ReadOnlySpan<byte> prefix) => _cursor.SeekPrefix(prefix);

    /// <inheritdoc cref="TreeCursor.MoveNext"/>
    public bool MoveNext() => _cursor.MoveNext();

    /// <inheritdoc cref="TreeCursor.MovePrevious"/>
    public bool MovePrevious() => _cursor.MovePrevious();

    private static long ReadIdBehind(ReadOnlySpan<byte> key) => key.Length >= sizeof(long)
        ? BinaryPrimitives.ReadInt64BigEndian(key[^sizeof(long)..])
        : throw Damage.Of("an index entry holds no row id");
}

namespace Raven.Documents.Rows;

/// <summary>The names of the structures of <see cref="IndexedRows{TNames}"/>: a part of the file format.</summary>
internal interface IIndexedRowNames
{
    /// <summary>The heap of the rows.</summary>
    static abstract ReadOnlySpan<byte> Rows { get; }

    /// <summary>The tree from keys to rows.</summary>
    static abstract ReadOnlySpan<byte> ByKey { get; }

    /// <summary>The fixed tree from etags to rows.</summary>
    static abstract ReadOnlySpan<byte> ByEtag { get; }
}

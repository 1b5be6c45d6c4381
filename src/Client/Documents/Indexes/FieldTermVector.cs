namespace Raven.Client.Documents.Indexes;

/// <summary>
/// What is kept of the terms of a field. The server keeps all of it for fields of words; the names are kept
/// for compatibility.
/// </summary>
public enum FieldTermVector
{
    /// <summary>Nothing.</summary>
    No,

    /// <summary>The terms.</summary>
    Yes,

    /// <summary>The terms and their positions, in words.</summary>
    WithPositions,

    /// <summary>The terms and their positions, in characters.</summary>
    WithOffsets,

    /// <summary>The terms and both.</summary>
    WithPositionsAndOffsets,
}

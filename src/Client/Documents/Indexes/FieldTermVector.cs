namespace Raven.Client.Documents.Indexes;

/// <summary>What is kept of the terms of a field. The server keeps all of it for fields of words; the values are those
/// that users know.</summary>
public enum FieldTermVector
{
    /// <summary>Nothing.</summary>
    No,

    /// <summary>The terms.</summary>
    Yes,

    /// <summary>The terms and where they are, in words.</summary>
    WithPositions,

    /// <summary>The terms and where they are, in characters.</summary>
    WithOffsets,

    /// <summary>The terms and both.</summary>
    WithPositionsAndOffsets,
}

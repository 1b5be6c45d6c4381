namespace FastTests.Documents.History;

/// <summary>What can be done to a document that holds a number.</summary>
internal enum RegisterEventKind
{
    /// <summary>Reading it.</summary>
    Read,

    /// <summary>Writing it, whatever was there; deleting it is writing 0.</summary>
    Write,

    /// <summary>Writes it if a number is still stored.</summary>
    CompareAndSet,
}

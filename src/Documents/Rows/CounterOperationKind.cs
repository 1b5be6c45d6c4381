namespace Raven.Documents.Rows;

/// <summary>What is done to a counter; the names are those of the HTTP API.</summary>
public enum CounterOperationKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Adds to it, and creates it if it is not there.</summary>
    Increment,

    /// <summary>Removes it.</summary>
    Delete,

    /// <summary>Reads it.</summary>
    Get,

    /// <summary>Sets it.</summary>
    Put,
}

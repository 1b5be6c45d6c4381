namespace Raven.Documents;

/// <summary>
/// A change came to a node that is not the primary of the database's group. Nothing of it was done: another node takes
/// it.
/// </summary>
public sealed class NotPrimaryException : Exception
{
    /// <summary>Makes the error for the database of this name.</summary>
    public NotPrimaryException(string name)
        : base($"This node is not the primary of the database '{name}'; nothing was changed.") =>
        DatabaseName = name;

    /// <summary>The name of the database.</summary>
    public string DatabaseName { get; }
}

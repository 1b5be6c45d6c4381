namespace Raven.Documents;

/// <summary>
/// A database of a group was used while this node does not serve it: it does not know yet what is committed, or gets a
/// copy.
/// </summary>
public sealed class DatabaseNotServingException : Exception
{
    /// <summary>Makes the error for the database of this name.</summary>
    public DatabaseNotServingException(string name)
        : base($"This node does not serve the database '{name}' now: it has not caught up with its group yet.") =>
        DatabaseName = name;

    /// <summary>The name of the database.</summary>
    public string DatabaseName { get; }
}

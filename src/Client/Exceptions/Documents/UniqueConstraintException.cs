namespace Raven.Client.Exceptions.Documents;

/// <summary>
/// A document has a value that another one has, and that only one may have. Nothing of the batch was written.
/// </summary>
public sealed class UniqueConstraintException(string message) : ConcurrencyException(message)
{
    /// <summary>The document that has the value; null if the server did not name it.</summary>
    public string? Holder { get; internal set; }

    /// <summary>The collection of the constraint.</summary>
    public string? Collection { get; internal set; }

    /// <summary>The name of the constraint.</summary>
    public string? Constraint { get; internal set; }

    /// <summary>Its fields.</summary>
    public IReadOnlyList<string> Fields { get; internal set; } = [];

    /// <summary>The value of each field, as JSON; long ones are cut.</summary>
    public IReadOnlyList<string> Values { get; internal set; } = [];
}

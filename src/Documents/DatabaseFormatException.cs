namespace Raven.Documents;

/// <summary>A database was written by a newer server, in a format that this one does not know.</summary>
public sealed class DatabaseFormatException : Exception
{
    /// <summary>Makes the error for a database, with both format numbers.</summary>
    internal DatabaseFormatException(string name, int found, int known)
        : base($"Database '{name}' has document format {found}; this server knows up to {known}. Use a newer server.")
    {
    }
}

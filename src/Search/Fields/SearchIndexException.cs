namespace Raven.Search.Fields;

/// <summary>An index cannot be opened or written as asked; the message says what and why.</summary>
public sealed class SearchIndexException : Exception
{
    /// <summary>Says what is wrong.</summary>
    public SearchIndexException(string message)
        : base(message)
    {
    }
}

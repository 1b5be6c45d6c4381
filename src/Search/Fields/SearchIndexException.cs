namespace Raven.Search.Fields;

/// <summary>An index cannot be opened or written as requested; the message has the cause.</summary>
public sealed class SearchIndexException : Exception
{
    /// <summary>Makes one with a message.</summary>
    public SearchIndexException(string message)
        : base(message)
    {
    }
}

namespace Raven.Documents.Indexing.Maps;

/// <summary>A definition cannot be made into an index: the message says what is wrong, and where.</summary>
public class IndexCompilationException : Exception
{
    /// <summary>Makes the error with a message.</summary>
    internal IndexCompilationException(string message)
        : base(message)
    {
    }

    /// <summary>Makes the error with a message and its cause.</summary>
    internal IndexCompilationException(string message, Exception cause)
        : base(message, cause)
    {
    }
}

namespace Raven.Server.Indexing.Maps;

/// <summary>A definition cannot be made into an index: says what is wrong, and where.</summary>
internal class IndexCompilationException : Exception
{
    /// <summary>Says what is wrong.</summary>
    internal IndexCompilationException(string message)
        : base(message)
    {
    }

    /// <summary>Says what is wrong, and what was found out by whom.</summary>
    internal IndexCompilationException(string message, Exception cause)
        : base(message, cause)
    {
    }
}

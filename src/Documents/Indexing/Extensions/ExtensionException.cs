namespace Raven.Documents.Indexing.Extensions;

/// <summary>An analyzer or a sorter cannot be compiled, is missing, or has failed: the message says which
/// and why.</summary>
public sealed class ExtensionException : Exception
{
    /// <summary>Makes the error with a message.</summary>
    internal ExtensionException(ExtensionProblem problem, ExtensionKind kind, string message)
        : base(message)
    {
        Problem = problem;
        Kind = kind;
    }

    /// <summary>Makes the error with a message and its cause.</summary>
    internal ExtensionException(ExtensionProblem problem, ExtensionKind kind, string message, Exception cause)
        : base(message, cause)
    {
        Problem = problem;
        Kind = kind;
    }

    /// <summary>The kind of error.</summary>
    public ExtensionProblem Problem { get; }

    public ExtensionKind Kind { get; }
}

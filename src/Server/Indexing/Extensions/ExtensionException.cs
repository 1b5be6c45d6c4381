namespace Raven.Server.Indexing.Extensions;

/// <summary>An analyzer or a sorter cannot be compiled, is not there, or has failed: says which and why.</summary>
internal sealed class ExtensionException : Exception
{
    /// <summary>Says what is wrong.</summary>
    internal ExtensionException(ExtensionProblem problem, ExtensionKind kind, string message)
        : base(message)
    {
        Problem = problem;
        Kind = kind;
    }

    /// <summary>Says what is wrong, and what was found out by whom.</summary>
    internal ExtensionException(ExtensionProblem problem, ExtensionKind kind, string message, Exception cause)
        : base(message, cause)
    {
        Problem = problem;
        Kind = kind;
    }

    /// <summary>What is wrong.</summary>
    internal ExtensionProblem Problem { get; }

    /// <summary>With what.</summary>
    internal ExtensionKind Kind { get; }
}

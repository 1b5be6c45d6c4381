namespace Raven.Documents.Commands;

/// <summary>A command that is part of a longer operation was not done, and the operation ends with it.</summary>
/// <param name="kind">Why not.</param>
/// <param name="message">What failed, and what is done all the same.</param>
public sealed class CommandFailedException(CommandFailureKind kind, string message) : Exception(message)
{
    /// <summary>Why not.</summary>
    public CommandFailureKind Kind { get; } = kind;
}

namespace Raven.Documents.Commands;

/// <summary>
/// A command cannot be done, and it has changed pages already: its transaction is dropped, the other commands of it are
/// executed again without it, and the failure becomes that of the command. For failures that no check finds earlier.
/// </summary>
internal sealed class CommandRefusedException(CommandFailure failure) : Exception(failure.Describe())
{
    /// <summary>Why.</summary>
    internal CommandFailure Failure { get; } = failure;
}

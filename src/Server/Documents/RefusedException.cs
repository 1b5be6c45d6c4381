namespace Raven.Server.Documents;

/// <summary>
/// What was asked for cannot be done as it was asked: the caller can mend it, and the message says what and where. What
/// is refused often is a result instead.
/// </summary>
/// <param name="reason">Which kind of refusal it is.</param>
/// <param name="message">What is wrong, and where.</param>
internal sealed class RefusedException(RefusalReason reason, string message) : Exception(message)
{
    /// <summary>Which kind of refusal it is.</summary>
    internal RefusalReason Reason { get; } = reason;
}

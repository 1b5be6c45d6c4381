namespace Raven.Documents;

/// <summary>
/// A request cannot be carried out as it was sent: the caller can correct it, and the message says what is wrong and
/// where. Frequent refusals are a result instead.
/// </summary>
/// <param name="reason">The kind of refusal.</param>
/// <param name="message">What is wrong, and where.</param>
public sealed class RefusedException(RefusalReason reason, string message) : Exception(message)
{
    /// <summary>The kind of refusal.</summary>
    public RefusalReason Reason { get; } = reason;
}

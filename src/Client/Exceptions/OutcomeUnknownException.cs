namespace Raven.Client.Exceptions;

/// <summary>
/// A request was sent and its answer is not known: it broke off, did not come in time, or the cluster changed its
/// primary meanwhile. If it was a write, perhaps it was done. The client does not send such a write again, unless
/// <see cref="Raven.Client.Documents.Conventions.DocumentConventions.RepeatUncertainWrites"/> says so: read what it was
/// to change, or make it conditional, and send it again yourself.
/// </summary>
public abstract class OutcomeUnknownException : RavenException
{
    private protected OutcomeUnknownException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}

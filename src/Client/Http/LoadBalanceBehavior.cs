namespace Raven.Client.Http;

/// <summary>Which of several servers the requests of a session go to.</summary>
public enum LoadBalanceBehavior
{
    /// <summary>The first that can be reached.</summary>
    None,

    /// <summary>
    /// One that is chosen by the context of the session. This client has no such context, and treats it like
    /// <see cref="None"/>.
    /// </summary>
    UseSessionContext,
}

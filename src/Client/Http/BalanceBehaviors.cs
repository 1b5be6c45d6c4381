namespace Raven.Client.Http;

/// <summary>Which server a read goes to.</summary>
public enum ReadBalanceBehavior
{
    /// <summary>The first that can be reached, as writes do.</summary>
    None,

    /// <summary>The next one for each session.</summary>
    RoundRobin,

    /// <summary>
    /// The one that answers soonest. This client does not measure that, and treats it like <see cref="None"/>.
    /// </summary>
    FastestNode,
}

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

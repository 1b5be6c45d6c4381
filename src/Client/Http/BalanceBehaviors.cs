namespace Raven.Client.Http;

/// <summary>Which server a read goes to.</summary>
public enum ReadBalanceBehavior
{
    /// <summary>To the first server that can be reached, like writes.</summary>
    None,

    /// <summary>To the next server for each session.</summary>
    RoundRobin,

    /// <summary>
    /// To the server that answers soonest. This client does not measure that, and treats it like <see cref="None"/>.
    /// </summary>
    FastestNode,
}

/// <summary>Which of several servers the requests of a session go to.</summary>
public enum LoadBalanceBehavior
{
    /// <summary>To the first server that can be reached.</summary>
    None,

    /// <summary>
    /// To a server that the context of the session chooses. This client has no such context, and treats it
    /// like <see cref="None"/>.
    /// </summary>
    UseSessionContext,
}

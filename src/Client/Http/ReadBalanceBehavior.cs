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

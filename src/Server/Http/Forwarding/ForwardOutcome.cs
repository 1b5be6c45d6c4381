namespace Raven.Server.Http.Forwarding;

/// <summary>What has become of a request that was passed on.</summary>
internal enum ForwardOutcome
{
    /// <summary>The other node's answer was sent to the client, or the client's connection was cut with it.</summary>
    Answered,

    /// <summary>The other node was not reached, or refused to be the one: nothing was done.</summary>
    NotDone,

    /// <summary>The other node refused to be the one when it had the body: nothing was done, and the body cannot be
    /// sent again.</summary>
    Spent,

    /// <summary>The request was sent, and the connection ended without an answer: perhaps it was done.</summary>
    Cut,
}

namespace Raven.Server.Options;

/// <summary>Whether a server may start, and to whom it answers then. See <see cref="StartRules"/>.</summary>
internal sealed record StartDecision
{
    /// <summary>The option that keeps it from starting; null if it starts.</summary>
    internal string? RefusedKey { get; private init; }

    /// <summary>Why it does not start, and each way out.</summary>
    internal string Refusal { get; private init; } = "";

    /// <summary>What its operator should know, a sentence each.</summary>
    internal IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>True if other machines can connect, and nothing asks who they are.</summary>
    internal bool IsUnsecured { get; init; }

    /// <summary>True if all of its urls are https.</summary>
    internal bool IsSecured { get; init; }

    /// <summary>The machines whose connections it takes.</summary>
    internal PeerNetwork Peers { get; init; }

    /// <summary>A server that does not start.</summary>
    internal static StartDecision Refuse(string key, string reason) => new() { RefusedKey = key, Refusal = reason };
}

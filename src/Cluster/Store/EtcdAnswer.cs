using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>What became of one request to one endpoint.</summary>
internal enum EtcdAnswerKind
{
    /// <summary>It was answered.</summary>
    Answered,

    /// <summary>It was not sent, and so surely not done.</summary>
    NotSent,

    /// <summary>It was sent, and the answer is lost.</summary>
    Lost,

    /// <summary>etcd answered with an error.</summary>
    Error,

    /// <summary>The endpoint is not to be used: its version or its cluster is not what is needed.</summary>
    Unfit,
}

/// <summary>What became of one request to one endpoint.</summary>
/// <param name="Kind">How it ended.</param>
/// <param name="Body">The answer; null if there is none.</param>
/// <param name="Code">The code of gRPC of an error.</param>
/// <param name="Problem">What is wrong.</param>
internal sealed record EtcdAnswer(EtcdAnswerKind Kind, JsonElement? Body, int Code = 0, string? Problem = null)
{
    private const int InvalidArgument = 3;
    private const int NotFound = 5;
    private const int PermissionDenied = 7;
    private const int Exhausted = 8;
    private const int FailedPrecondition = 9;
    private const int OutOfRange = 11;
    private const int Unimplemented = 12;
    private const int Unreachable = 14;
    private const int Unauthenticated = 16;

    /// <summary>Whether another endpoint may know more, and asking it does no harm to a read.</summary>
    internal bool IsWorthAnother => Kind != EtcdAnswerKind.Answered && Definite is null;

    internal bool IsCompacted =>
        Code == OutOfRange && Problem!.Contains("compacted", StringComparison.Ordinal);

    /// <summary>What an error says for sure: nothing was done. Null if that is not known.</summary>
    internal StoreStatus? Definite => Kind != EtcdAnswerKind.Error ? null : Code switch
    {
        NotFound when Problem!.Contains("lease", StringComparison.Ordinal) => StoreStatus.LeaseGone,
        Exhausted when Problem!.Contains("space", StringComparison.Ordinal) => StoreStatus.OutOfSpace,
        Exhausted => StoreStatus.Unavailable,

        // Members are changed only when all have heard of one another for a while.
        Unreachable when Problem!.Contains("unhealthy cluster", StringComparison.Ordinal) => StoreStatus.Unavailable,
        InvalidArgument or NotFound or PermissionDenied or FailedPrecondition or OutOfRange or Unimplemented
            or Unauthenticated => StoreStatus.Refused,
        _ => null,
    };

    /// <summary>How a call that only reads ended.</summary>
    internal StoreStatus ReadStatus => Kind switch
    {
        EtcdAnswerKind.Answered => StoreStatus.Ok,
        EtcdAnswerKind.Unfit => StoreStatus.Refused,
        _ => Definite ?? StoreStatus.Unavailable,
    };

    /// <summary>How a call that changes something ended.</summary>
    internal StoreStatus WriteStatus => Kind switch
    {
        EtcdAnswerKind.Answered => StoreStatus.Ok,
        EtcdAnswerKind.NotSent => StoreStatus.Unavailable,
        EtcdAnswerKind.Unfit => StoreStatus.Refused,
        _ => Definite ?? StoreStatus.Unknown,
    };
}

namespace Raven.Security.Audit;

/// <summary>Keeps where the chain begins and ends, apart from the log.</summary>
public interface IAuditAnchor
{
    /// <summary>The end that was kept last; null if none was.</summary>
    AuditChain? Read();

    /// <summary>Keeps the end, durably.</summary>
    /// <exception cref="IOException">It cannot be kept.</exception>
    void Keep(AuditChain chain);

    /// <summary>Behind which line the log begins, as files of it were deleted; null if none was.</summary>
    AuditChain? ReadStart();

    /// <summary>Keeps that, durably.</summary>
    /// <exception cref="IOException">It cannot be kept.</exception>
    void KeepStart(AuditChain chain);
}

namespace Raven.Security.Audit;

/// <summary>Keeps where the chain stands, apart from the log.</summary>
public interface IAuditAnchor
{
    /// <summary>What was kept last; null if nothing was.</summary>
    AuditChain? Read();

    /// <summary>Keeps it, durably.</summary>
    void Keep(AuditChain chain);
}

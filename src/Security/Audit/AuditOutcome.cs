namespace Raven.Security.Audit;

/// <summary>How something ended that the audit log has.</summary>
public enum AuditOutcome
{
    /// <summary>It was done, or is about to be, as the line is written first.</summary>
    Ok = 0,

    /// <summary>The caller may not do it.</summary>
    Denied = 1,

    /// <summary>It was allowed and could not be done.</summary>
    Failed = 2,
}

using Raven.Security.Rights;

namespace Raven.Security.Registry;

/// <summary>Hears of each change of the registry before it is made.</summary>
public interface ITrustAudit
{
    /// <summary>Keeps a change for good. If it throws, the change is refused.</summary>
    void Record(Identity by, TrustChange change);

    /// <summary>A change that was kept could not be made.</summary>
    void RecordFailure(Identity by, TrustChange change);
}

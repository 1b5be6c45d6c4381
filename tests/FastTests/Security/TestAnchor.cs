using Raven.Security.Audit;

namespace FastTests.Security;

/// <summary>Keeps the ends of an audit log in memory, or fails to.</summary>
internal sealed class TestAnchor : IAuditAnchor
{
    private AuditChain? _start;

    internal AuditChain? Kept { get; private set; }

    internal bool Fails { get; set; }

    public AuditChain? Read() => Kept;

    public void Keep(AuditChain chain) => Kept = Fails ? throw new IOException("The disk is full.") : chain;

    public AuditChain? ReadStart() => _start;

    public void KeepStart(AuditChain chain) => _start = chain;
}

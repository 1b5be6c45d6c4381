using System.Diagnostics.CodeAnalysis;

namespace Raven.Security.Rights;

//   RIGHT-1  Rights are never added up: a request has one identity, and what that one may do is all that counts.
//   RIGHT-2  An identity whose time is over has no right, from the first request behind that time on.
//   RIGHT-3  An identity is immutable. A change of rights makes a new one, so that a request sees the old rights or the
//            new ones and no mixture.

/// <summary>Who sends a request, and what that caller may do. Immutable, shared by all threads.</summary>
public sealed class Identity
{
    /// <summary>The caller of a server that has no certificate: it may do everything.</summary>
    public static Identity Unsecured { get; } = new()
    {
        Kind = IdentityKind.Unsecured,
        Name = Clearances.Unauthenticated,
        Key = "",
        Clearance = Clearance.ClusterAdmin,
    };

    /// <summary>How it has shown who it is.</summary>
    public required IdentityKind Kind { get; init; }

    /// <summary>A name for people.</summary>
    public required string Name { get; init; }

    /// <summary>What it is found by: the thumbprint of a certificate, the id of a key; empty for others.</summary>
    public required string Key { get; init; }

    /// <summary>What it may do on the server as a whole.</summary>
    public Clearance Clearance { get; init; }

    /// <summary>What it may do with single databases, if its clearance alone does not say so.</summary>
    public Permissions Permissions { get; init; } = Permissions.None;

    /// <summary>True if it may read the metrics, whatever else it may do.</summary>
    public bool MayMonitor { get; init; }

    /// <summary>When it begins to count.</summary>
    public DateTimeOffset NotBefore { get; init; } = DateTimeOffset.MinValue;

    /// <summary>When it ends.</summary>
    public DateTimeOffset NotAfter { get; init; } = DateTimeOffset.MaxValue;

    /// <summary>Whether it counts at a time.</summary>
    public bool IsValidAt(DateTimeOffset now) => now >= NotBefore && now <= NotAfter;

    /// <summary>
    /// Whether it has a right. Costs a comparison, and one look into a table if it depends on a database; allocates
    /// nothing.
    /// </summary>
    /// <param name="access">The right that is needed.</param>
    /// <param name="database">The database of the request, in any case of letters; empty if it is about none.</param>
    public bool May(Access access, ReadOnlySpan<char> database) => access switch
    {
        Access.Anyone or Access.ValidUser => true,
        Access.Read => RightTo(database) >= DatabaseRight.Read,
        Access.ReadWrite => RightTo(database) >= DatabaseRight.ReadWrite,
        Access.DatabaseAdmin => RightTo(database) >= DatabaseRight.Admin,
        Access.Monitoring => MayMonitor || Clearance >= Clearance.Operator,
        Access.Operator => Clearance >= Clearance.Operator,
        Access.ClusterAdmin => Clearance >= Clearance.ClusterAdmin,
        _ => false,
    };

    /// <summary>What it may do with a database. Allocates nothing.</summary>
    public DatabaseRight RightTo(ReadOnlySpan<char> database) =>
        Clearance >= Clearance.Operator ? DatabaseRight.Admin : Permissions.To(database);

    /// <summary>
    /// Whether it may give a clearance to another, change one that has it, or take it away. Only an administrator of
    /// the cluster makes administrators and nodes.
    /// </summary>
    public bool MayManage(Clearance clearance) =>
        Clearance == Clearance.ClusterAdmin || (Clearance >= Clearance.Operator && clearance <= Clearance.Operator);

    /// <summary>For a log: how and who, without anything secret.</summary>
    [ExcludeFromCodeCoverage]
    public override string ToString() => $"{Kind} {Name} {Key}".TrimEnd();
}

using System.Net;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

/// <summary>An API key that the server knows: its hash and its rights. Immutable.</summary>
public sealed class RegisteredKey
{
    /// <summary>What it is found by.</summary>
    public required string Id { get; init; }

    /// <summary>SHA-256 of the key.</summary>
    public required byte[] Hash { get; init; }

    /// <summary>The hash of the key before a rotation; null if there is none.</summary>
    public byte[]? FormerHash { get; init; }

    /// <summary>Until when the key before counts.</summary>
    public DateTimeOffset FormerEndsAt { get; init; }

    /// <summary>A name for people.</summary>
    public required string Name { get; init; }

    /// <summary>What it may do on the server as a whole: an operator's rights at most.</summary>
    public required Clearance Clearance { get; init; }

    /// <summary>What it may do with single databases.</summary>
    public required Permissions Permissions { get; init; }

    /// <summary>True if it may read the metrics.</summary>
    public bool MayMonitor { get; init; }

    /// <summary>The networks from which it may be used; none for all.</summary>
    public IReadOnlyList<IPNetwork> AllowedAddresses { get; init; } = [];

    /// <summary>When it ends; null if never.</summary>
    public required DateTimeOffset? ExpiresAt { get; init; }

    /// <summary>True if it does not count any more, as it was on the wire in the clear.</summary>
    public bool IsDisabled { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>Who made it.</summary>
    public required string CreatedBy { get; init; }

    /// <summary>When it was last used.</summary>
    public LastUse LastUse { get; init; } = new(null);

    /// <summary>The identity of its requests.</summary>
    public Identity Identity => field ??= new Identity
    {
        Kind = IdentityKind.ApiKey,
        Name = Name,
        Key = Id,
        Clearance = Clearance,
        Permissions = Permissions,
        MayMonitor = MayMonitor,
        NotAfter = ExpiresAt ?? DateTimeOffset.MaxValue,
    };

    internal string Key => KeyOf(Id);

    internal static string KeyOf(string id) => "keys/" + id;

    /// <summary>Whether it may be used from an address.</summary>
    public bool IsAllowedFrom(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (AllowedAddresses.Count == 0)
        {
            return true;
        }

        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        foreach (IPNetwork network in AllowedAddresses)
        {
            if (network.Contains(plain))
            {
                return true;
            }
        }

        return false;
    }
}

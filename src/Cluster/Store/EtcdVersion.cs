using System.Globalization;

namespace Raven.Cluster.Store;

/// <summary>A version of etcd.</summary>
/// <param name="Major">As in 3.</param>
/// <param name="Minor">As in 3.5.</param>
/// <param name="Patch">As in 3.5.16.</param>
public readonly record struct EtcdVersion(int Major, int Minor, int Patch) : IComparable<EtcdVersion>
{
    /// <summary>The oldest that is safe: before it leases were revoked wrongly (3.5.13), events of watches were lost
    /// after a compaction (3.5.13), and the revision could go back (3.5.14).</summary>
    public static EtcdVersion Oldest { get; } = new(3, 5, 14);

    /// <summary>Reads a version such as <c>3.5.16</c> or <c>3.6.0-rc.1</c>.</summary>
    /// <param name="text">The version.</param>
    /// <param name="version">What it says.</param>
    public static bool TryParse(string? text, out EtcdVersion version)
    {
        version = default;
        string[] parts = (text ?? "").Trim().TrimStart('v').Split('-', '+')[0].Split('.');
        if (parts.Length != 3 || !TryRead(parts[0], out int major) || !TryRead(parts[1], out int minor)
            || !TryRead(parts[2], out int patch))
        {
            return false;
        }

        version = new EtcdVersion(major, minor, patch);
        return true;
    }

    /// <summary>Why this version is not used; null if it is.</summary>
    /// <param name="where">What has it: an endpoint or a program.</param>
    public string? ProblemOf(string where) => CompareTo(Oldest) < 0
        ? $"etcd at {where} is {this}. {Oldest} or later is needed: older ones lose events of watches after a "
            + "compaction, revoke leases wrongly, and can answer with a revision that goes back."
        : null;

    /// <inheritdoc/>
    public int CompareTo(EtcdVersion other) =>
        (Major, Minor, Patch).CompareTo((other.Major, other.Minor, other.Patch));

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Major}.{Minor}.{Patch}");

    /// <summary>Whether one is older.</summary>
    public static bool operator <(EtcdVersion left, EtcdVersion right) => left.CompareTo(right) < 0;

    /// <summary>Whether one is newer.</summary>
    public static bool operator >(EtcdVersion left, EtcdVersion right) => left.CompareTo(right) > 0;

    /// <summary>Whether one is older or the same.</summary>
    public static bool operator <=(EtcdVersion left, EtcdVersion right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one is newer or the same.</summary>
    public static bool operator >=(EtcdVersion left, EtcdVersion right) => left.CompareTo(right) >= 0;

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}

namespace Raven.Security.Rights;

/// <summary>The names that clearances and rights to a database have on the wire.</summary>
/// <remarks>
/// The public clients write <c>ClusterAdmin</c>, <c>ClusterNode</c>, <c>Operator</c> and <c>ValidUser</c>, and for a
/// database <c>Read</c>, <c>ReadWrite</c> and <c>Admin</c>. Names are taken as they are, case included: a name that is
/// only nearly right is refused, as a guess could give more than was asked for.
/// </remarks>
public static class Clearances
{
    /// <summary>What a server without certificates reports as the clearance of every caller.</summary>
    public const string Unauthenticated = "UnauthenticatedClients";

    /// <summary>The clearance of a name.</summary>
    /// <returns>False if there is no clearance of this name to give.</returns>
    public static bool TryParse(ReadOnlySpan<char> name, out Clearance clearance)
    {
        (bool known, clearance) = name switch
        {
            "ValidUser" => (true, Clearance.ValidUser),
            "Operator" => (true, Clearance.Operator),
            "ClusterNode" => (true, Clearance.ClusterNode),
            "ClusterAdmin" => (true, Clearance.ClusterAdmin),
            _ => (false, default),
        };
        return known;
    }

    /// <summary>The right to a database that a name stands for.</summary>
    /// <returns>False if there is no such right.</returns>
    public static bool TryParse(ReadOnlySpan<char> name, out DatabaseRight right)
    {
        (bool known, right) = name switch
        {
            "Read" => (true, DatabaseRight.Read),
            "ReadWrite" => (true, DatabaseRight.ReadWrite),
            "Admin" => (true, DatabaseRight.Admin),
            _ => (false, default),
        };
        return known;
    }

    /// <summary>The name of a clearance.</summary>
    public static string NameOf(Clearance clearance) => clearance switch
    {
        Clearance.Operator => "Operator",
        Clearance.ClusterNode => "ClusterNode",
        Clearance.ClusterAdmin => "ClusterAdmin",
        _ => "ValidUser",
    };

    /// <summary>The name of a right to a database.</summary>
    public static string NameOf(DatabaseRight right) => right switch
    {
        DatabaseRight.Read => "Read",
        DatabaseRight.ReadWrite => "ReadWrite",
        DatabaseRight.Admin => "Admin",
        _ => "None",
    };
}

using System.Collections.Frozen;

namespace Raven.Security.Rights;

/// <summary>
/// The rights of one identity by database. Names compare as names of databases do, in either case. Immutable.
/// </summary>
public sealed class Permissions
{
    private readonly FrozenDictionary<string, DatabaseRight> _byName;
    private readonly FrozenDictionary<string, DatabaseRight>.AlternateLookup<ReadOnlySpan<char>> _byText;

    private Permissions(FrozenDictionary<string, DatabaseRight> byName)
    {
        _byName = byName;
        _byText = byName.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>No right to any database.</summary>
    public static Permissions None { get; } =
        new(FrozenDictionary.ToFrozenDictionary<string, DatabaseRight>([], StringComparer.OrdinalIgnoreCase));

    /// <summary>The databases and the rights to them, with the names as they were given.</summary>
    public IReadOnlyDictionary<string, DatabaseRight> All => _byName;

    /// <summary>Makes the rights of an identity.</summary>
    /// <param name="rights">Names of databases with rights.</param>
    /// <exception cref="ArgumentException">A name is there twice, perhaps in another case.</exception>
    public static Permissions Of(IEnumerable<KeyValuePair<string, DatabaseRight>> rights)
    {
        ArgumentNullException.ThrowIfNull(rights);
        var byName = new Dictionary<string, DatabaseRight>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, DatabaseRight right) in rights)
        {
            byName.Add(name, right);
        }

        return byName.Count == 0 ? None : new Permissions(byName.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase));
    }

    /// <summary>The right to a database. Allocates nothing.</summary>
    public DatabaseRight To(ReadOnlySpan<char> database) =>
        _byText.TryGetValue(database, out DatabaseRight right) ? right : DatabaseRight.None;

    /// <summary>True if these give something that others do not.</summary>
    public bool Exceed(Permissions others)
    {
        ArgumentNullException.ThrowIfNull(others);
        foreach ((string name, DatabaseRight right) in _byName)
        {
            if (right > others.To(name))
            {
                return true;
            }
        }

        return false;
    }
}

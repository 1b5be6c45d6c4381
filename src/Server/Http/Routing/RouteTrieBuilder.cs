using System.Text;

namespace Raven.Server.Http.Routing;

/// <summary>
/// Collects paths and builds the <see cref="RouteTrie"/> over them. Not thread-safe; used once at start-up.
/// </summary>
public sealed class RouteTrieBuilder
{
    private readonly Branch _root = new();

    /// <summary>Adds a path.</summary>
    /// <param name="path">A path such as <c>/databases/*/docs</c>; see <see cref="RouteAttribute"/>.</param>
    /// <param name="endpoint">What a match gives back; not negative.</param>
    /// <returns>The endpoint, or the one that was added with the same path before.</returns>
    /// <exception cref="ArgumentException">The path is not valid for a route.</exception>
    public int Add(string path, int endpoint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(endpoint);
        Check(path);
        Branch branch = _root;
        for (int i = 0; i < path.Length; i++)
        {
            switch (path[i])
            {
                case '*':
                    branch = branch.Star ??= new Branch();
                    break;
                case '$':
                    branch.Rest = branch.Rest < 0 ? endpoint : branch.Rest;
                    return branch.Rest;
                default:
                    branch = branch.Next(char.ToLowerInvariant(path[i]));
                    break;
            }
        }

        branch.Endpoint = branch.Endpoint < 0 ? endpoint : branch.Endpoint;
        return branch.Endpoint;
    }

    /// <summary>Builds the trie of all paths that were added.</summary>
    public RouteTrie Build()
    {
        var nodes = new List<RouteTrie.Node>();
        var children = new List<short>();
        Append(_root, "", nodes, children);
        return new RouteTrie([.. nodes], [.. children]);
    }

    private static int Append(Branch branch, string literal, List<RouteTrie.Node> nodes, List<short> children)
    {
        // A chain of single characters becomes one node with a longer literal.
        var run = new StringBuilder(literal);
        while (branch.IsPlainLink)
        {
            (char next, Branch only) = branch.Characters.First();
            run.Append(next);
            branch = only;
        }

        int number = nodes.Count;
        nodes.Add(default);
        var node = new RouteTrie.Node
        {
            Literal = run.ToString(),
            Endpoint = branch.Endpoint,
            Rest = branch.Rest,
            Star = branch.Star == null ? -1 : Append(branch.Star, "", nodes, children),
            Children = branch.Characters.Count == 0 ? -1 : children.Count,
        };
        if (node.Children >= 0)
        {
            children.AddRange(Enumerable.Repeat((short)-1, RouteTrie.TableSize));
            foreach ((char next, Branch child) in branch.Characters)
            {
                short childNumber = checked((short)Append(child, next.ToString(), nodes, children));
                children[node.Children + next] = childNumber;
                children[node.Children + char.ToUpperInvariant(next)] = childNumber;
            }
        }

        nodes[number] = node;
        return number;
    }

    private static void Check(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        string? wrong =
            path[0] != '/' ? "begin with /"
            : !Ascii.IsValid(path) || path.Any(char.IsControl) ? "be printable ASCII"
            : path.IndexOf('$') is >= 0 and var rest && rest != path.Length - 1 ? "have $ at its end only"
            : path.Contains("**", StringComparison.Ordinal) ? "have something between two *"
            : path.Count(c => c is '*' or '$') > RouteCaptures.Capacity ? "have at most 4 captures"
            : null;
        if (wrong != null)
        {
            throw new ArgumentException($"The route '{path}' must {wrong}.", nameof(path));
        }
    }

    private sealed class Branch
    {
        internal SortedDictionary<char, Branch> Characters { get; } = [];

        internal Branch? Star { get; set; }

        internal int Rest { get; set; } = -1;

        internal int Endpoint { get; set; } = -1;

        internal bool IsPlainLink => Characters.Count == 1 && Star == null && Rest < 0 && Endpoint < 0;

        internal Branch Next(char next)
        {
            if (!Characters.TryGetValue(next, out Branch? branch))
            {
                branch = new Branch();
                Characters.Add(next, branch);
            }

            return branch;
        }
    }
}

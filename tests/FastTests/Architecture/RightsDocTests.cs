using System.Text;
using Raven.Security.Rights;
using Raven.Server.Http.Routing;

namespace FastTests.Architecture;

/// <summary>The table of rights in docs is made from the routes, so that it is always complete.</summary>
public sealed class RightsDocTests
{
    private static readonly (Access Access, string Who)[] Rights =
    [
        (Access.Anyone, "anyone who can connect"),
        (Access.ValidUser, "any identity that is known; the answer holds only what it may see"),
        (Access.Monitoring, "Operator, ClusterAdmin, an API key for metrics"),
        (Access.Read, "`Read` on the database, or more"),
        (Access.ReadWrite, "`ReadWrite` on the database, or more"),
        (Access.DatabaseAdmin, "`Admin` on the database, Operator, ClusterAdmin"),
        (Access.Operator, "Operator, ClusterAdmin"),
        (Access.ClusterAdmin, "ClusterAdmin"),
    ];

    [Fact]
    [Trait("Security", "22")]
    public void The_table_of_rights_in_docs_is_that_of_the_routes()
    {
        string path = Path.Combine(SourceTree.Root, "docs/security-rights.md");
        string actual = Write();
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.True(
            File.ReadAllText(path) == actual,
            $"{path} is not what the routes say: run this test with DEV_UPDATE_GOLDEN=1 and read the difference.");
    }

    private static string Write()
    {
        var text = new StringBuilder();
        text.Append("# Which route needs which right\n\nMade from the routes by RightsDocTests; `{db}` stands for ");
        text.Append("`/databases/` and the name of a database. What an identity is and how it gets\nrights says ");
        text.Append("[security.md](security.md). Routes that are not served yet have their right already.\n");
        foreach ((Access access, string who) in Rights)
        {
            text.Append("\n## ").Append(access).Append("\n\nFor ").Append(who)
                .Append(".\n\n| path | methods |\n|---|---|\n");
            foreach (IGrouping<string, Route> path in RouteTable.Default.Routes
                .Where(route => route.Access == access).GroupBy(route => route.Path))
            {
                string shown = path.Key.Replace("/databases/*", "{db}", StringComparison.Ordinal);
                string methods = string.Join(' ', path.Select(route => HttpVerbs.Name(route.Verb)));
                text.Append("| `").Append(shown).Append("` | ").Append(methods).Append(" |\n");
            }
        }

        return text.ToString();
    }
}

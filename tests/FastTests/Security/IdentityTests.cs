using FastTests.Support;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>What an identity may do.</summary>
public sealed class IdentityTests
{
    private static readonly string[] Databases = ["red", "blue", "missing"];

    /// <summary>Each row: what it may do on red, on blue and on one that is not there, and on the server.</summary>
    public static TheoryData<Clearance, DatabaseRight, bool, string> Rows => new()
    {
        { Clearance.ValidUser, DatabaseRight.None, false, "" },
        { Clearance.ValidUser, DatabaseRight.Read, false, "red.Read" },
        { Clearance.ValidUser, DatabaseRight.ReadWrite, false, "red.Read red.ReadWrite" },
        { Clearance.ValidUser, DatabaseRight.Admin, false, "red.Read red.ReadWrite red.DatabaseAdmin" },
        { Clearance.ValidUser, DatabaseRight.None, true, "Monitoring" },
        { Clearance.Operator, DatabaseRight.None, false, "* Monitoring Operator" },
        { Clearance.ClusterNode, DatabaseRight.None, false, "* Monitoring Operator" },
        { Clearance.ClusterAdmin, DatabaseRight.None, false, "* Monitoring Operator ClusterAdmin" },
    };

    [Theory]
    [MemberData(nameof(Rows))]
    public void It_may_do_what_its_clearance_and_its_permissions_say_and_no_more(
        Clearance clearance, DatabaseRight onRed, bool monitors, string expected)
    {
        Identity identity = Make(clearance, onRed, monitors);
        string[] may = expected.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        foreach (Access access in (Access[])[Access.Read, Access.ReadWrite, Access.DatabaseAdmin])
        {
            foreach (string database in Databases)
            {
                bool allowed = may.Contains("*") || may.Contains($"{database}.{access}");
                Assert.Equal(allowed, identity.May(access, database));
                Assert.Equal(allowed, identity.May(access, database.ToUpperInvariant()));
            }
        }

        foreach (Access access in (Access[])[Access.Monitoring, Access.Operator, Access.ClusterAdmin])
        {
            Assert.Equal(may.Contains(access.ToString()), identity.May(access, "red"));
        }

        Assert.True(identity.May(Access.Anyone, ""));
        Assert.True(identity.May(Access.ValidUser, ""));
        Assert.False(identity.May((Access)99, "red"));
    }

    [Fact]
    public void A_check_allocates_nothing()
    {
        Identity identity = Make(Clearance.ValidUser, DatabaseRight.ReadWrite, false);
        bool all = false;
        bool any = true;
        Assert.Equal(0, Allocated.Least(() =>
        {
            all = identity.May(Access.Read, "RED") & identity.May(Access.ReadWrite, "red");
            any = identity.May(Access.DatabaseAdmin, "red") | identity.May(Access.Read, "nothing");
        }));
        Assert.True(all);
        Assert.False(any);
    }

    [Fact]
    [Trait("Security", "33")]
    public void A_database_that_is_named_twice_in_two_cases_is_refused() => Assert.Throws<ArgumentException>(() =>
        Permissions.Of(
        [
            KeyValuePair.Create("red", DatabaseRight.Read), KeyValuePair.Create("RED", DatabaseRight.Admin),
        ]));

    [Theory]
    [Trait("Security", "34")]
    [InlineData("operator")]
    [InlineData("OPERATOR")]
    [InlineData("Operator ")]
    [InlineData("UnauthenticatedClients")]
    [InlineData("")]
    [InlineData("3")]
    public void A_clearance_that_is_only_nearly_right_is_none(string name)
    {
        Assert.False(Clearances.TryParse(name, out Clearance clearance));
        Assert.Equal(Clearance.ValidUser, clearance);
        Assert.False(Clearances.TryParse(name, out DatabaseRight right));
        Assert.Equal(DatabaseRight.None, right);
    }

    [Fact]
    public void Names_of_clearances_and_rights_come_back_as_they_were()
    {
        foreach (Clearance clearance in Enum.GetValues<Clearance>())
        {
            Assert.True(Clearances.TryParse(Clearances.NameOf(clearance), out Clearance back));
            Assert.Equal(clearance, back);
        }

        foreach (DatabaseRight right in Enum.GetValues<DatabaseRight>().Where(r => r != DatabaseRight.None))
        {
            Assert.True(Clearances.TryParse(Clearances.NameOf(right), out DatabaseRight back));
            Assert.Equal(right, back);
        }
    }

    private static Identity Make(Clearance clearance, DatabaseRight onRed, bool monitors) => new()
    {
        Kind = IdentityKind.Certificate,
        Name = "test",
        Key = "00",
        Clearance = clearance,
        Permissions = onRed == DatabaseRight.None
            ? Permissions.None
            : Permissions.Of([KeyValuePair.Create("Red", onRed)]),
        MayMonitor = monitors,
    };
}

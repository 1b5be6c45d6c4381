using System.Security.Cryptography;
using Raven.Security.Secrets;

namespace FastTests.Security;

/// <summary>Keys that are wrapped for nodes, and what several servers seal together.</summary>
public sealed class NodeKeyTests
{
    // Written by another program after the description of the format, with its own XAES-256-GCM: it must open for good.
    private const string GoldenPair =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFDdcvTtZjSUp8a42qcpw3gDWI2+Bf69wDz/J1iM5"
        + "CCGhRANCAAR0e+Vl2wa6bJ1LSv1rsQ8LK+m/SgM65o5y6koMBbH3oK0H4fug07+tVZEO/nevRXou3AvKfH0lgNJh"
        + "7HZAQ72K";

    private const string GoldenWrapped =
        "AQSefIZOp+0orL/nYfRtSYGqxa5gDCwQGn+cscl2q1DZhsayRL+E+9uXz1FfqxNbnJLJdNN4QdmcicqPXCJ17mZ8"
        + "jGrAm7Q4/j3TAeOixzXiBRucyyZsDG56BRwLF+KRjvmSTUyDldJRxRiXyd2ehFJzzNYDC8fBbY8VTe2c114iMFdk"
        + "GkJ/AuRi";

    private static readonly byte[] Key = [.. Enumerable.Range(1, 32).Select(i => (byte)i)];

    [Fact]
    [Trait("Invariant", "WRAP-1")]
    public void What_was_wrapped_opens_for_its_node_and_as_what_it_is_alone()
    {
        using NodeKey node = NodeKey.Make();
        using NodeKey other = NodeKey.Make();
        byte[] wrapped = NodeKey.Wrap(node.Public, Key, "a"u8);
        Assert.Equal(Key, node.Unwrap(wrapped, "a"u8));
        Assert.NotEqual(wrapped, NodeKey.Wrap(node.Public, Key, "a"u8));
        Assert.Throws<MasterKeyException>(() => other.Unwrap(wrapped, "a"u8));
        Assert.Throws<MasterKeyException>(() => node.Unwrap(wrapped, "b"u8));
        for (int i = 0; i < wrapped.Length; i++)
        {
            byte[] changed = [.. wrapped];
            changed[i] ^= 1;
            Assert.Throws<MasterKeyException>(() => node.Unwrap(changed, "a"u8));
        }

        for (int length = 0; length < wrapped.Length; length += 7)
        {
            Assert.Throws<MasterKeyException>(() => node.Unwrap(wrapped.AsSpan(0, length), "a"u8));
        }
    }

    [Fact]
    public void A_pair_is_the_same_after_it_was_kept_and_one_of_another_curve_is_refused()
    {
        using NodeKey node = NodeKey.Make();
        byte[] wrapped = NodeKey.Wrap(node.Public, Key, default);
        using (NodeKey again = NodeKey.Import(node.Export()))
        {
            Assert.Equal(node.Public, again.Public);
            Assert.Equal(Key, again.Unwrap(wrapped, default));
        }

        using var large = ECDiffieHellman.Create(ECCurve.NamedCurves.nistP384);
        byte[] exported = large.ExportPkcs8PrivateKey();
        Assert.Throws<MasterKeyException>(() => NodeKey.Import(exported));
        Assert.Throws<MasterKeyException>(() => NodeKey.Import("none"u8));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(64)]
    [InlineData(65)]
    public void What_is_no_point_of_the_curve_is_no_key_of_a_node(int length)
    {
        byte[] point = new byte[length];
        if (length > 0)
        {
            point[0] = 4;
        }

        Assert.Throws<MasterKeyException>(() => NodeKey.Wrap(point, Key, default));
    }

    [Fact]
    [Trait("Invariant", "WRAP-1")]
    public void The_format_stays()
    {
        using NodeKey node = NodeKey.Import(Convert.FromBase64String(GoldenPair));
        Assert.Equal(Key, node.Unwrap(Convert.FromBase64String(GoldenWrapped), "golden"u8));
    }

    [Fact]
    [Trait("Invariant", "SHKEY-1")]
    public void An_older_secret_opens_after_the_key_was_replaced()
    {
        using var keys = new SharedKeys();
        Assert.Throws<MasterKeyException>(() => keys.Seal("s", "place"));
        string first = keys.Add(SharedKeys.Make());
        keys.Use(first);
        string old = keys.Seal("old", "place");
        keys.Use(keys.Add(SharedKeys.Make()));
        Assert.NotEqual(first, keys.Current);
        string young = keys.Seal("young", "place");
        Assert.Equal(("old", "young"), (keys.Open(old, "place"), keys.Open(young, "place")));
        Assert.Equal((first, keys.Current), (SecretSealer.KeyCheckOf(old), SecretSealer.KeyCheckOf(young)));
        Assert.Throws<MasterKeyException>(() => keys.Open(old, "elsewhere"));
        Assert.Throws<MasterKeyException>(() => keys.Open("bm9uZQ==", "place"));

        using var another = new SharedKeys();
        another.Add(keys.Find(first)!);
        Assert.Equal("old", another.Open(old, "place"));
        Assert.Throws<MasterKeyException>(() => another.Open(young, "place"));
        another.Use("none");
        Assert.Null(another.Current);
    }
}

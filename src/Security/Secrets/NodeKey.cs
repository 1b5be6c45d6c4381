using System.Security.Cryptography;

namespace Raven.Security.Secrets;

//   WRAP-1  A key that is wrapped for a node opens with that node's private key and nowhere else, and only as what it
//           was wrapped as: the context is associated data.
//
//   OFFSET  SIZE  FIELD
//        0     1  1
//        1    65  the point of a key pair that was made for this alone, P-256, uncompressed
//       66    24  nonce, random
//       90     .  ciphertext, and a tag of 16 bytes: XAES-256-GCM
//
//   The key is HKDF-SHA256 of the x coordinate that ECDH gives, with both points as salt: that of the pair, then that
//   of the node. The primitives are .NET's.

/// <summary>The key pair of a node, for which others wrap keys (ECDH on P-256). Safe for all threads.</summary>
public sealed class NodeKey : IDisposable
{
    private const byte Format = 1;
    private const int CoordinateBytes = 32;
    private const int PointBytes = 1 + (2 * CoordinateBytes);
    private const int HeaderBytes = 1 + PointBytes + XAes256Gcm.NonceBytes;

    private readonly ECDiffieHellman _pair;
    private readonly Lock _gate = new();

    private NodeKey(ECDiffieHellman pair)
    {
        _pair = pair;
        Public = PointOf(pair);
    }

    /// <summary>The public key: a point, uncompressed.</summary>
    public byte[] Public { get; }

    private static ReadOnlySpan<byte> Purpose => "raven wrapped key 1"u8;

    /// <summary>A new pair.</summary>
    public static NodeKey Make() => new(ECDiffieHellman.Create(ECCurve.NamedCurves.nistP256));

    /// <summary>Takes a pair that was exported.</summary>
    /// <exception cref="MasterKeyException">It is none.</exception>
    public static NodeKey Import(ReadOnlySpan<byte> pkcs8)
    {
        var pair = ECDiffieHellman.Create();
        try
        {
            pair.ImportPkcs8PrivateKey(pkcs8, out _);
            return pair.KeySize == CoordinateBytes * 8
                ? new NodeKey(pair)
                : throw new MasterKeyException("The key pair of this node is of another curve.");
        }
        catch (CryptographicException e)
        {
            pair.Dispose();
            throw new MasterKeyException($"The key pair of this node is damaged: {e.Message}", e);
        }
    }

    /// <summary>The pair, with its private key, as PKCS #8: to be sealed before it is kept.</summary>
    public byte[] Export()
    {
        lock (_gate)
        {
            return _pair.ExportPkcs8PrivateKey();
        }
    }

    /// <summary>Wraps a key for a node.</summary>
    /// <param name="node">The public key of the node.</param>
    /// <param name="key">The key.</param>
    /// <param name="context">What it is for: the same when it is opened.</param>
    /// <exception cref="MasterKeyException">That is no public key.</exception>
    public static byte[] Wrap(ReadOnlySpan<byte> node, ReadOnlySpan<byte> key, ReadOnlySpan<byte> context)
    {
        using ECDiffieHellman other = Read(node);
        using var pair = ECDiffieHellman.Create(ECCurve.NamedCurves.nistP256);
        byte[] bytes = new byte[HeaderBytes + key.Length + XAes256Gcm.TagBytes];
        bytes[0] = Format;
        byte[] point = PointOf(pair);
        point.CopyTo(bytes, 1);
        Span<byte> nonce = bytes.AsSpan(1 + PointBytes, XAes256Gcm.NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        byte[] wrapping = Derive(pair, other, point, node);
        try
        {
            XAes256Gcm.Seal(wrapping, nonce, key, context, bytes.AsSpan(HeaderBytes));
            return bytes;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(wrapping);
        }
    }

    /// <summary>Opens a key that was wrapped for this node.</summary>
    /// <param name="wrapped">What <see cref="Wrap"/> gave.</param>
    /// <param name="context">The same context.</param>
    /// <exception cref="MasterKeyException">It was wrapped for another node or as another one, or is damaged.
    /// </exception>
    public byte[] Unwrap(ReadOnlySpan<byte> wrapped, ReadOnlySpan<byte> context)
    {
        if (wrapped.Length < HeaderBytes + XAes256Gcm.TagBytes || wrapped[0] != Format)
        {
            throw new MasterKeyException("The wrapped key is damaged.");
        }

        ReadOnlySpan<byte> point = wrapped.Slice(1, PointBytes);
        using ECDiffieHellman other = Read(point);
        byte[] wrapping;
        lock (_gate)
        {
            wrapping = Derive(_pair, other, point, Public);
        }

        byte[] key = new byte[wrapped.Length - HeaderBytes - XAes256Gcm.TagBytes];
        try
        {
            return XAes256Gcm.TryOpen(
                wrapping, wrapped.Slice(1 + PointBytes, XAes256Gcm.NonceBytes), wrapped[HeaderBytes..], context, key)
                ? key
                : throw new MasterKeyException("The key was wrapped for another node, or is damaged.");
        }
        finally
        {
            CryptographicOperations.ZeroMemory(wrapping);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _pair.Dispose();

    private static byte[] PointOf(ECDiffieHellman pair)
    {
        ECPoint point = pair.ExportParameters(includePrivateParameters: false).Q;
        return [4, .. point.X!, .. point.Y!];
    }

    /// <summary>Reads a point; one that is not on the curve is refused.</summary>
    private static ECDiffieHellman Read(ReadOnlySpan<byte> point)
    {
        if (point.Length != PointBytes || point[0] != 4)
        {
            throw new MasterKeyException("It is no public key of a node.");
        }

        try
        {
            return ECDiffieHellman.Create(new ECParameters
            {
                Curve = ECCurve.NamedCurves.nistP256,
                Q = new ECPoint
                {
                    X = point.Slice(1, CoordinateBytes).ToArray(),
                    Y = point[(1 + CoordinateBytes)..].ToArray(),
                },
            });
        }
        catch (CryptographicException e)
        {
            throw new MasterKeyException($"It is no public key of a node: {e.Message}", e);
        }
    }

    private static byte[] Derive(
        ECDiffieHellman own, ECDiffieHellman other, ReadOnlySpan<byte> pairPoint, ReadOnlySpan<byte> nodePoint)
    {
        byte[] secret = own.DeriveRawSecretAgreement(other.PublicKey);
        byte[] salt = [.. pairPoint, .. nodePoint];
        byte[] key = new byte[XAes256Gcm.KeyBytes];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, secret, key, salt, Purpose);
        CryptographicOperations.ZeroMemory(secret);
        return key;
    }
}

using Raven.Blittable.Format;

namespace Raven.Blittable.Json;

/// <summary>The sizes above which a parser refuses a text.</summary>
public sealed record JsonLimits
{
    private readonly int _depthMax = BlittableFormat.DepthMaxDefault;
    private readonly long _documentSizeBytesMax = 256L << 20;
    private readonly int _propertyCountMax = 1_000_000;

    /// <summary>The default limits.</summary>
    public static JsonLimits Default { get; } = new();

    /// <summary>How deep objects and arrays may nest, 1 to 512; 128 by default.</summary>
    public int DepthMax
    {
        get => _depthMax;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, BlittableFormat.DepthMax);
            _depthMax = value;
        }
    }

    /// <summary>
    /// How many bytes of JSON one document may have, white space around it included; 256 MB by default.
    /// </summary>
    public long DocumentSizeBytesMax
    {
        get => _documentSizeBytesMax;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 1L << 30);
            _documentSizeBytesMax = value;
        }
    }

    /// <summary>How many properties one object may have; a million by default.</summary>
    public int PropertyCountMax
    {
        get => _propertyCountMax;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _propertyCountMax = value;
        }
    }
}

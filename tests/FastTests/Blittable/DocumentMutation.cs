using System.Buffers;
using System.Text;
using FastTests.Compression;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

/// <summary>
/// Row T15: damages documents and reads them with an inaccessible page right behind the last byte, and in front of the
/// first. Whatever the validator accepts must then be read, whole, without leaving the buffer.
/// </summary>
internal sealed class DocumentMutation : IDisposable
{
    private readonly OperationContext _context = new();
    private readonly ArrayBufferWriter<byte> _target = new();
    private readonly GuardedBuffer _guarded = new(1 << 16);
    private readonly Random _random;

    private DocumentMutation(int seed) => _random = new Random(seed);

    public void Dispose()
    {
        _guarded.Dispose();
        _context.Dispose();
    }

    /// <summary>Damages that many documents; gives how many of them were still valid.</summary>
    internal static int Run(int seed, int mutations)
    {
        using DocumentMutation run = new(seed);
        int accepted = 0;
        byte[] document = [];
        for (int i = 0; i < mutations; i++)
        {
            if (i % 25 == 0)
            {
                document = run.NextDocument();
            }

            accepted += run.Check(run.Damage(document), $"seed {seed}, mutation {i}") ? 1 : 0;
        }

        return accepted;
    }

    private byte[] NextDocument()
    {
        _context.Reset();
        BlittableMode mode = _random.Next(2) == 0 ? BlittableMode.ToMemory : BlittableMode.ToDisk;
        byte[] json;
        do
        {
            json = Encoding.UTF8.GetBytes(RandomJson.Make(_random, _random.Next(1, 5)));
        }
        while (json.Length > 4000);

        Assert.True(_context.Parser.TryParse(json, mode, out BlittableObject document, out _));
        return document.Memory.Span.ToArray();
    }

    private byte[] Damage(byte[] document)
    {
        byte[] damaged = [.. document];
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            // The parts at the end, where positions are, are hit as often as all the rest.
            int tail = Math.Min(damaged.Length, 24);
            int at = _random.Next(2) == 0 ? _random.Next(damaged.Length) : damaged.Length - 1 - _random.Next(tail);
            damaged[at] = _random.Next(4) switch
            {
                0 => (byte)_random.Next(256),
                1 => (byte)(damaged[at] ^ (1 << _random.Next(8))),
                2 => (byte)(damaged[at] + _random.Next(-2, 3)),
                _ => damaged[_random.Next(damaged.Length)],
            };
        }

        return _random.Next(8) == 0 ? damaged[.._random.Next(damaged.Length + 1)] : damaged;
    }

    private unsafe bool Check(byte[] damaged, string which)
    {
        Span<byte> placed = _random.Next(4) == 0 ? _guarded.AtStart(damaged.Length) : _guarded.AtEnd(damaged.Length);
        damaged.CopyTo(placed);
        if (!BlittableValidator.TryValidate(placed, out BlittableError error))
        {
            Assert.NotNull(error.Reason);
            return false;
        }

        fixed (byte* start = placed)
        {
            BlittableValue root = BlittableValue.OpenRoot(new NativeSlice(start, placed.Length));
            _target.ResetWrittenCount();
            BlittableToJson.Write(root, _target, JsonOutputOptions.Default);
            BlittableToJson.Write(root, _target, JsonOutputOptions.Original);
            Walk(root);
            if (root.TryGetObject(out BlittableObject document))
            {
                _context.Modifier.Start(document).Set("added"u8, 1).Finish(BlittableMode.ToDisk);
            }
        }

        ReadOnlySpan<byte> written = _target.WrittenSpan[..(_target.WrittenCount / 2)];
        bool parsed = _context.Parser.TryParseValue(written, BlittableMode.ToMemory, out _, out JsonError bad);
        Assert.True(parsed, $"{which}: {bad}");
        return true;
    }

    private static void Walk(BlittableValue value)
    {
        if (value.TryGetObject(out BlittableObject members))
        {
            for (int i = 0; i < members.Count; i++)
            {
                BlittableProperty property = members.GetProperty(i);
                Assert.Equal(i, members.IndexOf(property.Name));
                Walk(property.Value);
            }
        }
        else if (value.TryGetArray(out BlittableArray elements))
        {
            for (int i = 0; i < elements.Count; i++)
            {
                Walk(elements[i]);
            }
        }
        else if (!value.TryGetString(out _))
        {
            value.TryGetDouble(out _);
            value.TryGetDecimal(out _);
        }
    }
}

using System.Collections.Immutable;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace FastTests.Architecture;

/// <summary>
/// The types of an assembly that each of its types refers to: in its base, its members' types, its attributes and the
/// code of its methods (ECMA-335, partition III). What the compiler made, and nested types, count as the type around
/// them. A constant of another type is no reference, as the compiler copies it.
/// </summary>
internal sealed class TypeReferences
{
    private static readonly OperandType?[] OneByteCodes = Codes(isTwoBytes: false);
    private static readonly OperandType?[] TwoByteCodes = Codes(isTwoBytes: true);

    private readonly MetadataReader _metadata;
    private readonly PEReader _image;
    private readonly HashSet<(TypeDefinitionHandle From, TypeDefinitionHandle To)> _found = [];
    private readonly Signatures _signatures;
    private TypeDefinitionHandle _from;

    private TypeReferences(PEReader image)
    {
        _image = image;
        _metadata = image.GetMetadataReader();
        _signatures = new Signatures(this);
    }

    /// <summary>Pairs of full names of types with a namespace, the one that refers first; none of a type to
    /// itself.</summary>
    /// <param name="assembly">The assembly's file; closed at the end.</param>
    internal static IReadOnlyList<(string From, string To)> Of(Stream assembly)
    {
        using var image = new PEReader(assembly);
        var references = new TypeReferences(image);
        foreach (TypeDefinitionHandle type in references._metadata.TypeDefinitions)
        {
            references._from = references.Outermost(type);
            references.AddType(references._metadata.GetTypeDefinition(type));
        }

        return
        [
            .. references._found
                .Select(pair => (references.NameOf(pair.From), references.NameOf(pair.To)))
                .Where(pair => pair.Item1.Contains('.') && pair.Item2.Contains('.')),
        ];
    }

    private static OperandType?[] Codes(bool isTwoBytes)
    {
        var codes = new OperandType?[256];
        foreach (OpCode code in typeof(OpCodes).GetFields().Select(field => field.GetValue(null)).OfType<OpCode>())
        {
            if (code.Size == (isTwoBytes ? 2 : 1))
            {
                codes[code.Value & 0xFF] = code.OperandType;
            }
        }

        return codes;
    }

    private void AddType(TypeDefinition type)
    {
        Add(type.BaseType);
        AddAttributes(type.GetCustomAttributes());
        foreach (InterfaceImplementationHandle each in type.GetInterfaceImplementations())
        {
            Add(_metadata.GetInterfaceImplementation(each).Interface);
        }

        AddConstraints(type.GetGenericParameters());
        foreach (FieldDefinitionHandle each in type.GetFields())
        {
            FieldDefinition field = _metadata.GetFieldDefinition(each);
            field.DecodeSignature(_signatures, null);
            AddAttributes(field.GetCustomAttributes());
        }

        foreach (MethodDefinitionHandle each in type.GetMethods())
        {
            MethodDefinition method = _metadata.GetMethodDefinition(each);
            method.DecodeSignature(_signatures, null);
            AddAttributes(method.GetCustomAttributes());
            AddConstraints(method.GetGenericParameters());
            if (method.RelativeVirtualAddress != 0)
            {
                AddBody(_image.GetMethodBody(method.RelativeVirtualAddress));
            }
        }
    }

    private void AddConstraints(GenericParameterHandleCollection parameters)
    {
        foreach (GenericParameterConstraintHandle constraint in
                 parameters.SelectMany(each => _metadata.GetGenericParameter(each).GetConstraints()))
        {
            Add(_metadata.GetGenericParameterConstraint(constraint).Type);
        }
    }

    private void AddAttributes(CustomAttributeHandleCollection attributes)
    {
        foreach (CustomAttributeHandle attribute in attributes)
        {
            Add(_metadata.GetCustomAttribute(attribute).Constructor);
        }
    }

    private void AddBody(MethodBodyBlock body)
    {
        if (!body.LocalSignature.IsNil)
        {
            _metadata.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(_signatures, null);
        }

        foreach (ExceptionRegion region in body.ExceptionRegions.Where(region => !region.CatchType.IsNil))
        {
            Add(region.CatchType);
        }

        BlobReader code = body.GetILReader();
        while (code.RemainingBytes > 0)
        {
            byte first = code.ReadByte();
            OperandType operand = (first == 0xFE ? TwoByteCodes[code.ReadByte()] : OneByteCodes[first])
                ?? throw new BadImageFormatException($"no instruction begins with {first:X2}");
            AddOperand(operand, ref code);
        }
    }

    private void AddOperand(OperandType operand, ref BlobReader code)
    {
        switch (operand)
        {
            case OperandType.InlineType or OperandType.InlineMethod or OperandType.InlineField or OperandType.InlineTok:
                Add(MetadataTokens.EntityHandle(code.ReadInt32()));
                break;
            case OperandType.InlineSwitch:
                int cases = code.ReadInt32();
                code.Offset += 4 * cases;
                break;
            default:
                code.Offset += operand switch
                {
                    OperandType.InlineNone => 0,
                    OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                    OperandType.InlineVar => 2,
                    OperandType.InlineI8 or OperandType.InlineR => 8,
                    _ => 4,
                };
                break;
        }
    }

    private void Add(EntityHandle handle)
    {
        if (handle.IsNil)
        {
            return;
        }

        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                TypeDefinitionHandle to = Outermost((TypeDefinitionHandle)handle);
                if (to != _from)
                {
                    _found.Add((_from, to));
                }

                break;
            case HandleKind.TypeSpecification:
                _metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(_signatures, null);
                break;
            case HandleKind.MethodDefinition:
                MethodDefinition method = _metadata.GetMethodDefinition((MethodDefinitionHandle)handle);
                Add(method.GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                Add(_metadata.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                Add(_metadata.GetMemberReference((MemberReferenceHandle)handle).Parent);
                break;
            case HandleKind.MethodSpecification:
                MethodSpecification generic = _metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(generic.Method);
                generic.DecodeSignature(_signatures, null);
                break;
        }
    }

    private TypeDefinitionHandle Outermost(TypeDefinitionHandle type)
    {
        TypeDefinitionHandle around = _metadata.GetTypeDefinition(type).GetDeclaringType();
        return around.IsNil ? type : Outermost(around);
    }

    private string NameOf(TypeDefinitionHandle handle)
    {
        TypeDefinition type = _metadata.GetTypeDefinition(handle);
        string space = _metadata.GetString(type.Namespace);
        return (space.Length == 0 ? "" : space + ".") + _metadata.GetString(type.Name);
    }

    /// <summary>Each type of the assembly that a signature names.</summary>
    private sealed class Signatures(TypeReferences owner) : ISignatureTypeProvider<int, object?>
    {
        public int GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
        {
            owner.Add(handle);
            return 0;
        }

        public int GetTypeFromSpecification(
            MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
            reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

        public int GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => 0;

        public int GetPrimitiveType(PrimitiveTypeCode typeCode) => 0;

        public int GetSZArrayType(int elementType) => 0;

        public int GetArrayType(int elementType, ArrayShape shape) => 0;

        public int GetByReferenceType(int elementType) => 0;

        public int GetPointerType(int elementType) => 0;

        public int GetPinnedType(int elementType) => 0;

        public int GetFunctionPointerType(MethodSignature<int> signature) => 0;

        public int GetGenericInstantiation(int genericType, ImmutableArray<int> typeArguments) => 0;

        public int GetGenericMethodParameter(object? genericContext, int index) => 0;

        public int GetGenericTypeParameter(object? genericContext, int index) => 0;

        public int GetModifiedType(int modifier, int unmodifiedType, bool isRequired) => 0;
    }
}

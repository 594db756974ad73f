"""The structs of the PJRT C API as one table, and the ctypes classes made of it.

A row is a struct's fields after the two that all begin with, ``struct_size`` and ``extension_start``. Letters are C
types: p pointer, z size_t, i int or enum, q int64, b bool, s a text (pointer and size_t). The order is the header's;
`tests/pjrt/bridge` compares it with the header's text and with what plugins say.
"""

from __future__ import annotations

import ctypes
from typing import Any

# Zeroed bytes behind every struct: a newer plugin may read, and a careless one write, past what is known here.
SLACK = 256

_ROWS: dict[str, str] = {
    "Error_Destroy": "p:error", "Error_Message": "p:error s:message", "Error_GetCode": "p:error i:code",
    "Plugin_Initialize": "", "Plugin_Attributes": "p:attributes z:num_attributes",
    "Event_Destroy": "p:event", "Event_Await": "p:event", "Event_IsReady": "p:event b:is_ready",
    "Event_Error": "p:event", "Event_OnReady": "p:event p:callback p:user_arg",
    "Client_Create": "p:create_options z:num_options p:kv_get_callback p:kv_get_user_arg p:kv_put_callback "
                     "p:kv_put_user_arg p:client p:kv_try_get_callback p:kv_try_get_user_arg",
    "Client_Destroy": "p:client", "Client_PlatformName": "p:client s:platform_name",
    "Client_PlatformVersion": "p:client s:platform_version", "Client_ProcessIndex": "p:client i:process_index",
    "Client_TopologyDescription": "p:client p:topology", "Client_Devices": "p:client p:devices z:num_devices",
    "Client_AddressableDevices": "p:client p:addressable_devices z:num_addressable_devices",
    "Client_Compile": "p:client p:program s:compile_options p:executable",
    "Client_BufferFromHostBuffer": "p:client p:data i:type p:dims z:num_dims p:byte_strides z:num_byte_strides "
                                   "i:host_buffer_semantics p:device p:memory p:device_layout "
                                   "p:done_with_host_buffer p:buffer",
    "DeviceDescription_Id": "p:device_description i:id",
    "DeviceDescription_ProcessIndex": "p:device_description i:process_index",
    "DeviceDescription_Attributes": "p:device_description z:num_attributes p:attributes",
    "DeviceDescription_Kind": "p:device_description s:device_kind",
    "DeviceDescription_ToString": "p:device_description s:to_string",
    "DeviceDescription_DebugString": "p:device_description s:debug_string",
    "Device_GetDescription": "p:device p:device_description",
    "Device_LocalHardwareId": "p:device i:local_hardware_id", "Device_IsAddressable": "p:device b:is_addressable",
    "Device_DefaultMemory": "p:device p:memory", "Memory_Kind": "p:memory s:kind",
    "Device_MemoryStats": "p:device q:bytes_in_use " + " ".join(
        f"q:{name} b:{name}_is_set" for name in (
            "peak_bytes_in_use", "num_allocs", "largest_alloc_size", "bytes_limit", "bytes_reserved",
            "peak_bytes_reserved", "bytes_reservable_limit", "largest_free_block_bytes", "pool_bytes",
            "peak_pool_bytes")),
    "Executable_Destroy": "p:executable", "Executable_Name": "p:executable s:executable_name",
    "Executable_NumReplicas": "p:executable z:num_replicas",
    "Executable_NumPartitions": "p:executable z:num_partitions",
    "Executable_NumOutputs": "p:executable z:num_outputs",
    "Executable_Fingerprint": "p:executable s:executable_fingerprint",
    "Executable_SizeOfGeneratedCodeInBytes": "p:executable q:size_in_bytes",
    "Executable_GetCostAnalysis": "p:executable z:num_properties p:properties",
    "Executable_OptimizedProgram": "p:executable p:program",
    "Executable_OutputElementTypes": "p:executable p:output_types z:num_output_types",
    "Executable_OutputDimensions": "p:executable z:num_outputs p:dims p:dim_sizes",
    "Executable_OutputMemoryKinds": "p:executable z:num_outputs p:memory_kinds p:memory_kind_sizes",
    "Executable_Serialize": "p:executable s:serialized_bytes p:serialized_executable "
                            "p:serialized_executable_deleter",
    "Executable_GetCompiledMemoryStats": "p:executable " + " ".join(
        f"q:{name}" for name in (
            "generated_code_size_in_bytes", "argument_size_in_bytes", "output_size_in_bytes", "alias_size_in_bytes",
            "temp_size_in_bytes", "host_generated_code_size_in_bytes", "host_argument_size_in_bytes",
            "host_output_size_in_bytes", "host_alias_size_in_bytes", "host_temp_size_in_bytes",
            "peak_memory_in_bytes", "total_size_in_bytes", "total_allocation_bytes",
            "indefinite_allocations", "peak_unpadded_heap_bytes")),
    "Executable_DeserializeAndLoad": "p:client s:serialized_executable p:loaded_executable "
                                     "s:overridden_serialized_compile_options p:load_options",
    "LoadedExecutable_Destroy": "p:executable", "LoadedExecutable_GetExecutable": "p:loaded_executable p:executable",
    "LoadedExecutable_AddressableDevices": "p:executable p:addressable_devices z:num_addressable_devices",
    "LoadedExecutable_Delete": "p:executable", "LoadedExecutable_IsDeleted": "p:executable b:is_deleted",
    "LoadedExecutable_Fingerprint": "p:executable s:executable_fingerprint",
    "LoadedExecutable_Execute": "p:executable p:options p:argument_lists z:num_devices z:num_args p:output_lists "
                                "p:device_complete_events p:execute_device",
    "Buffer_Destroy": "p:buffer", "Buffer_Delete": "p:buffer", "Buffer_IsDeleted": "p:buffer b:is_deleted",
    "Buffer_ElementType": "p:buffer i:type", "Buffer_Dimensions": "p:buffer p:dims z:num_dims",
    "Buffer_Device": "p:buffer p:device", "Buffer_OnDeviceSizeInBytes": "p:buffer z:on_device_size_in_bytes",
    "Buffer_ReadyEvent": "p:buffer p:event", "Buffer_CopyToDevice": "p:buffer p:dst_device p:dst_buffer",
    "Buffer_ToHostBuffer": "p:src p:host_layout p:dst z:dst_size p:event",
    # The layout is a struct inside of this one: its head, a union (the seven words of a tiled one), its type, padding.
    "Buffer_GetMemoryLayout": "p:buffer z:layout_size p:layout_extension z:tiled_size p:tiled_extension "
                              "p:minor_to_major z:minor_to_major_size p:tile_dims p:tile_dim_sizes z:num_tiles "
                              "i:layout_type i:layout_padding",
    "TopologyDescription_Create": "s:topology_name p:create_options z:num_options p:topology",
    "TopologyDescription_Destroy": "p:topology",
    "TopologyDescription_PlatformName": "p:topology s:platform_name",
    "TopologyDescription_PlatformVersion": "p:topology s:platform_version",
    "TopologyDescription_GetDeviceDescriptions": "p:topology p:descriptions z:num_descriptions",
    "TopologyDescription_Attributes": "p:topology p:attributes z:num_attributes",
    "TopologyDescription_Serialize": "p:topology s:serialized_bytes p:serialized_topology "
                                     "p:serialized_topology_deleter",
    "Compile": "p:topology p:program s:compile_options p:client p:executable",
    # These are handed over inside of others.
    "Program": "s:code s:format",
    "NamedValue": "s:name i:type q:value z:value_size",
    "Buffer_MemoryLayout": "z:tiled_size p:tiled_extension p:minor_to_major z:minor_to_major_size p:tile_dims "
                           "p:tile_dim_sizes z:num_tiles i:type",
    "ExecuteOptions": "p:send_callbacks p:recv_callbacks z:num_send_ops z:num_recv_ops i:launch_id "
                      "p:non_donatable_input_indices z:num_non_donatable_input_indices p:context p:call_location "
                      "z:num_tasks p:task_ids p:incarnation_ids p:multi_slice_config "
                      "b:use_major_to_minor_data_layout_for_callbacks p:hlo_callbacks z:num_hlo_callbacks",
}
_TYPES: dict[str, Any] = {
    "p": ctypes.c_void_p, "z": ctypes.c_size_t, "i": ctypes.c_int, "q": ctypes.c_int64, "b": ctypes.c_bool,
}

# A tiled layout's own size, which it announces inside of the layout's union.
TILED_BYTES = 56


def _layout(name: str, row: str) -> tuple[type[ctypes.Structure], int]:
    fields: list[tuple[str, Any]] = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]
    for field in row.split():
        letter, _, field_name = field.partition(":")
        if letter == "s":
            fields += [(field_name, ctypes.c_void_p), (f"{field_name}_size", ctypes.c_size_t)]
        else:
            fields.append((field_name, _TYPES[letter]))
    plain = type(name, (ctypes.Structure,), {"_fields_": fields})
    last = getattr(plain, fields[-1][0])
    slack = [("slack_", ctypes.c_char * SLACK)]
    # Arrays of named values are walked by the announced size, so these have none behind them.
    kind = type(name, (ctypes.Structure,), {"_fields_": fields + ([] if name == "NamedValue" else slack)})
    return kind, last.offset + last.size


STRUCTS: dict[str, type[ctypes.Structure]] = {}
# The size that a struct announces: up to the end of its last field, without padding.
SIZES: dict[str, int] = {}
for _name, _row in _ROWS.items():
    STRUCTS[_name], SIZES[_name] = _layout(_name, _row)


def fields_of(name: str) -> list[str]:
    """The names of a struct's fields, in order."""
    listed: Any = STRUCTS[name]._fields_
    return [field[0] for field in listed if field[0] != "slack_"]
